"""The teacher's vectors of the texts, of the English sides of pairs, or of the units: W/text0000.npy ..., one file for 8,192 texts, so that a stopped run goes on.

  python teach.py --work W --teacher DIR text|pair|unit        (torch, transformers; bf16, one thread)
"""
import argparse, json, os, time
import numpy as np, torch
from tokenizers import Tokenizer
from transformers import AutoModel

SHARD = 8192


def embedder(folder, longest=64, budget=2048):
    tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    model = AutoModel.from_pretrained(folder).eval().to(torch.bfloat16)

    def embed(texts):
        ids = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        out, at = np.zeros((len(ids), model.config.hidden_size), np.float16), 0
        with torch.inference_mode():
            while at < len(order):
                end = at + 1
                while end < len(order) and len(ids[order[end]]) * (end + 1 - at) <= budget:
                    end += 1
                batch, at = order[at:end], end
                tokens = torch.zeros(len(batch), len(ids[batch[-1]]), dtype=torch.long)
                mask = torch.zeros_like(tokens)
                for row, i in enumerate(batch):
                    tokens[row, : len(ids[i])] = torch.tensor(ids[i])
                    mask[row, : len(ids[i])] = 1
                hidden = model(input_ids=tokens, attention_mask=mask).last_hidden_state.float()
                mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
                out[batch] = torch.nn.functional.normalize(mean, dim=1).numpy().astype(np.float16)
        return out

    return embed


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("what", choices=["text", "pair", "unit"])
    p.add_argument("--work", required=True)
    p.add_argument("--teacher", required=True)
    a = p.parse_args()
    torch.set_num_threads(1)
    if a.what == "text":
        texts = [text for _, text in json.load(open(a.work + "/texts.json"))]
    elif a.what == "pair":
        texts = json.load(open(a.work + "/sides.json"))
    else:
        texts = [unit.replace("##", "") for unit in json.load(open(a.work + "/units.json"))["units"]]
    embed = embedder(a.teacher)
    for at in range(0, len(texts), SHARD):
        path = f"{a.work}/{a.what}{at // SHARD:04d}.npy"
        if not os.path.exists(path):
            began, part = time.process_time(), f"{a.work}/part-{a.what}.npy"
            np.save(part, embed(texts[at : at + SHARD]))
            os.rename(part, path)
            print(path, f"{time.process_time() - began:.0f} s of one core", flush=True)
