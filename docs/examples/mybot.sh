#!/bin/sh
# A bot for kumite in a shell: it plays the first legal step, whatever the game.
while IFS= read -r request; do
    step=$(printf '%s\n' "$request" | sed 's/.*"legal":\["\([^"]*\)".*/\1/')
    printf '{"step":"%s"}\n' "$step"
done
