#!/bin/sh
# Starts $CHROMIUM. As root Chromium raises the priority of its threads, which starves the venue and the other tests of a
# busy machine: without the capability it cannot.
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
  exec setpriv --bounding-set -sys_nice "$CHROMIUM" "$@"
fi
exec "$CHROMIUM" "$@"
