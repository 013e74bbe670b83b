"""Serve a model file by llama.cpp until standard input closes, by a Python that has xllamacpp; prints the address."""

import sys

import xllamacpp

if __name__ == "__main__":
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.n_ctx = 4096
    params.n_parallel = 1
    params.n_predict = 48  # a tiny model that is left alone never ends a list
    params.cpuparams.n_threads = 1
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
