# fish completion for pagerd
set -l names run devices monitor learn record replay subscribe send emit check reload status doctor
complete -c pagerd -f -n "not __fish_seen_subcommand_from $names" -a "$names"
complete -c pagerd -f -n "__fish_seen_subcommand_from send" -a "next prev next-chapter prev-chapter first last back toggle"
complete -c pagerd -f -n "__fish_seen_subcommand_from emit" -a "on off"
complete -c pagerd -x -n "__fish_seen_subcommand_from subscribe" -l role -a "background observer"
complete -c pagerd -x -n "__fish_seen_subcommand_from subscribe" -l exec -d "run this for each command"
complete -c pagerd -x -n "__fish_seen_subcommand_from replay" -l role -a "page-turner shared ignore"
complete -c pagerd -x -n "__fish_seen_subcommand_from replay" -l bind -d "KEY=COMMAND"
complete -c pagerd -F -n "__fish_seen_subcommand_from replay record check"
complete -c pagerd -n "__fish_seen_subcommand_from devices status doctor" -l json -d "for programs"
