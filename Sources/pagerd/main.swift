internal import Glibc

exit(Program.run(Array(CommandLine.arguments.dropFirst()), program: CommandLine.arguments.first ?? "pagerd").rawValue)
