#!/bin/sh
# Documents: a folder as a tar stream. `tar` knows how to end it, so a stream that breaks off is told from a whole one.
set -eu
folder=${1:?which folder?}
cd "$folder"
exec tar -cf - .
