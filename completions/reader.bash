# bash completion for reader
_reader() {
  local word=${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" = 1 ]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -W "guide info text show search stats config --help --version --claim" -- "$word"; compgen -f -- "$word")
    return
  fi
  case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "--width --height --page --all --json --regex --case --diacritics --words --limit --claim --help" -- "$word") ;;
    *)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      ;;
  esac
}
complete -F _reader reader
