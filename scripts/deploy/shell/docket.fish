function __complete_docket
    set -lx COMP_LINE (commandline -cp)
    test -z (commandline -ct)
    and set COMP_LINE "$COMP_LINE "
    docket
end
complete -f -c docket -a "(__complete_docket)"
