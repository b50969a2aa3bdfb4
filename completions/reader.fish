# fish completion for reader
set -l names guide info text show search stats config
complete -c reader -F
complete -c reader -n "not __fish_seen_subcommand_from $names" -a "$names"
complete -c reader -x -l width -d columns
complete -c reader -x -l height -d rows
complete -c reader -x -l page -d "page number"
complete -c reader -l all -d "every page"
complete -c reader -l json -d "for programs"
complete -c reader -l claim -d "take page commands without a terminal"
