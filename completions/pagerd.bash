# bash completion for pagerd
_pagerd() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local names="run devices monitor learn record replay subscribe send emit check reload status doctor"
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$names --help --version" -- "$word")
    return
  fi
  case $before in
    send) mapfile -t COMPREPLY < <(compgen -W "next prev next-chapter prev-chapter first last back toggle custom:" -- "$word") ;;
    emit) mapfile -t COMPREPLY < <(compgen -W "on off" -- "$word") ;;
    --role)
      local roles="background observer"
      [ "${COMP_WORDS[1]}" != replay ] || roles="page-turner shared ignore"
      mapfile -t COMPREPLY < <(compgen -W "$roles" -- "$word")
      ;;
    --exec) mapfile -t COMPREPLY < <(compgen -c -- "$word") ;;
    *)
      case ${COMP_WORDS[1]} in
        subscribe) mapfile -t COMPREPLY < <(compgen -W "--role --exec --json --help" -- "$word") ;;
        replay) mapfile -t COMPREPLY < <(compgen -W "--role --bind --help" -f -- "$word") ;;
        devices | status | doctor | monitor) mapfile -t COMPREPLY < <(compgen -W "--json --help" -- "$word") ;;
        record | check) mapfile -t COMPREPLY < <(compgen -W "--help" -f -- "$word") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "--help" -- "$word") ;;
      esac
      ;;
  esac
}
complete -F _pagerd pagerd
