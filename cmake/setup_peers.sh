#!/bin/sh
# Installs the libraries that `edgewise bench linear` is measured against (Debian, about 500 MB): ViennaCL, PETSc, OpenMPI.
# After it, configure and build again; without it the bench says which peers are missing.
set -eu
packages="g++ libviennacl-dev petsc-dev openmpi-bin"
if [ "$(id -u)" -eq 0 ]; then sudo=; else sudo=sudo; fi
$sudo apt-get update -q
$sudo apt-get install -qy --no-install-recommends $packages
