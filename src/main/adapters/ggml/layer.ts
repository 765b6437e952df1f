import type { FrozenModel } from './frozen-model'
import type { Operations, Step } from './operations'
import type { Tensor } from './tensors'

/**
 * One transformer layer (pre-norm attention with grouped keys, then SwiGLU) over `length` tokens, forward and back.
 * Building only `y` costs nothing of the way back.
 */
export function layerStep(
  operations: Operations,
  model: FrozenModel,
  index: number,
  x: Tensor,
  mask: Tensor,
  length: number,
): Step {
  const attention = attend(operations, model, `blk.${index}.`, x, mask, length)
  const middle = operations.add(x, attention.y)
  const feed = feedForward(operations, `blk.${index}.`, middle)
  return {
    y: operations.add(middle, feed.y),
    back: (g) => {
      const g1 = operations.add(g, feed.back(g))
      return operations.add(g1, attention.back(g1))
    },
  }
}

function feedForward(o: Operations, block: string, x: Tensor): Step {
  const norm = o.norm(`${block}ffn_norm`, x)
  const gate = o.linear(`${block}ffn_gate`, norm.y)
  const up = o.linear(`${block}ffn_up`, norm.y)
  const down = o.linear(`${block}ffn_down`, o.swiglu(gate.y, up.y))
  return {
    y: down.y,
    back: (g) => {
      const inner = down.back(g)
      const toGate = gate.back(o.siluBack(o.mul(inner, up.y), gate.y))
      const toUp = up.back(o.mul(inner, o.silu(gate.y)))
      return norm.back(o.add(toGate, toUp))
    },
  }
}

function attend(
  o: Operations,
  model: FrozenModel,
  block: string,
  x: Tensor,
  mask: Tensor,
  length: number,
): Step {
  const { heads, keyHeads, headWidth } = model.shape.sizes
  const norm = o.norm(`${block}attn_norm`, x)
  const query = projection(o, model, `${block}attn_q`, norm.y, heads, length)
  const key = projection(o, model, `${block}attn_k`, norm.y, keyHeads, length)
  const value = o.linear(`${block}attn_v`, norm.y)
  const values = o.reshape3(value.y, headWidth, keyHeads, length)
  // [head width, tokens, heads]
  const q = o.permute(query.y, [0, 2, 1, 3])
  const k = o.permute(key.y, [0, 2, 1, 3])
  // [keys, queries, heads]
  const scores = o.softmax(o.matmul(k, q), mask, 1 / Math.sqrt(headWidth))
  // [head width, queries, heads]
  const mixed = o.matmul(o.cont(o.permute(values, [1, 2, 0, 3])), scores.y)
  const out = o.linear(
    `${block}attn_output`,
    o.flat(o.permute(mixed, [0, 2, 1, 3]), headWidth * heads, length),
  )
  return {
    y: out.y,
    back: (g) => {
      const toMixed = o.permute(o.reshape3(out.back(g), headWidth, heads, length), [0, 2, 1, 3])
      const toScores = scores.back(o.matmul(o.permute(values, [0, 2, 1, 3]), o.cont(toMixed)))
      const toQuery = o.matmul(o.cont(o.permute(k, [1, 0, 2, 3])), toScores)
      const toKey = o.matmul(o.cont(o.permute(q, [1, 0, 2, 3])), o.cont(o.transpose(toScores)))
      const toValue = o.matmul(o.cont(o.permute(toMixed, [1, 0, 2, 3])), o.cont(o.transpose(scores.y)))
      // Back to [head width, heads, tokens]; keys and values gather from all query heads that share them.
      const byToken = (t: Tensor) => o.cont(o.permute(t, [0, 2, 1, 3]))
      const gathered = (t: Tensor) => byToken(o.sumGroups(t, headWidth, length))
      const toValues = o.reshape2(gathered(toValue), headWidth * keyHeads, length)
      const parts = o.add(query.back(byToken(toQuery)), key.back(gathered(toKey)))
      return norm.back(o.add(parts, value.back(toValues)))
    },
  }
}

/** Queries or keys: projected, normed per head where the model does so (qwen3), and turned to their positions. */
function projection(
  o: Operations,
  model: FrozenModel,
  name: string,
  x: Tensor,
  heads: number,
  length: number,
): Step {
  const { headWidth } = model.shape.sizes
  const linear = o.linear(name, x)
  const split = o.reshape3(linear.y, headWidth, heads, length)
  const norm = model.weights.has(`${name}_norm.weight`) ? o.norm(`${name}_norm`, split) : null
  const rope = o.rope(norm ? norm.y : split)
  return {
    y: rope.y,
    back: (g) => {
      const unturned = rope.back(g)
      const unnormed = norm ? norm.back(unturned) : unturned
      return linear.back(o.reshape2(unnormed, headWidth * heads, length))
    },
  }
}
