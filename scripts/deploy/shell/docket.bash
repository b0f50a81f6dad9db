# The binary itself answers what may follow.
complete -o bashdefault -o default -C docket docket
