// The package manager names each executable's main after its product; libFuzzer's own main is replaced by these.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *, size_t));

#define ENTRY(name) \
  int name##_main(int argc, char **argv); \
  int name##_main(int argc, char **argv) { return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput); }

ENTRY(FuzzBook)
ENTRY(FuzzMarkup)
ENTRY(FuzzLayout)
ENTRY(FuzzWire)
ENTRY(FuzzTerminalInput)
ENTRY(FuzzPackage)
ENTRY(FuzzConfiguration)
