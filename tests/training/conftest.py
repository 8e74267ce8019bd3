import torch

torch.set_num_threads(1)  # two threads on a busy machine are many times slower than one
