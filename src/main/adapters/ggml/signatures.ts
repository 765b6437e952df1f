/** How C types cross: `pointer` as an address, sizes and 64-bit integers as numbers. */
export type CType =
  | 'void'
  | 'pointer'
  | 'data'
  | 'int'
  | 'int64'
  | 'size'
  | 'float'
  | 'bool'
  | 'string'
  | 'init'

/** Address of something ggml owns; null is C's NULL. */
export type Pointer = bigint | null

interface JsTypes {
  void: undefined
  pointer: Pointer
  /** Memory of ours that a call reads or fills before it returns, or an address. */
  data: NodeJS.ArrayBufferView | Pointer
  int: number
  int64: number
  size: number
  float: number
  bool: boolean
  string: string
  /** `struct ggml_init_params`, the one struct that crosses by value. */
  init: { readonly mem_size: number; readonly mem_buffer: null; readonly no_alloc: boolean }
}

export type Signature = readonly [result: CType, parameters: readonly CType[]]
type Arguments<P extends readonly CType[]> = { [I in keyof P]: JsTypes[P[I]] }
export type Functions<T extends Readonly<Record<string, Signature>>> = {
  readonly [N in keyof T]: (...values: Arguments<T[N][1]>) => JsTypes[T[N][0]]
}

const P = 'pointer'
const unary = [P, [P, P]] as const
const binary = [P, [P, P, P]] as const
const rope = [
  P,
  [P, P, P, P, 'int', 'int', 'int', 'float', 'float', 'float', 'float', 'float', 'float'],
] as const

/** What is called in libggml-base, by name without `ggml_`. */
export const BASE_SIGNATURES = {
  version: ['string', []],
  commit: ['string', []],
  tensor_overhead: ['size', []],
  graph_overhead_custom: ['size', ['size', 'bool']],
  init: [P, ['init']],
  free: ['void', [P]],
  new_tensor: [P, [P, 'int', 'int', 'data']],
  nbytes: ['size', [P]],
  nelements: ['int64', [P]],
  set_input: ['void', [P]],
  set_output: ['void', [P]],
  quantize_chunk: ['size', ['int', 'data', 'data', 'int64', 'int64', 'int64', P]],
  add: binary,
  sub: binary,
  mul: binary,
  mul_mat: binary,
  get_rows: binary,
  swiglu_split: binary,
  silu_back: binary,
  repeat_back: binary,
  cpy: binary,
  silu: unary,
  cont: unary,
  transpose: unary,
  log: unary,
  soft_max: unary,
  sum_rows: unary,
  scale: [P, [P, P, 'float']],
  clamp: [P, [P, P, 'float', 'float']],
  cast: [P, [P, P, 'int']],
  rms_norm: [P, [P, P, 'float']],
  rms_norm_back: [P, [P, P, P, 'float']],
  get_rows_back: [P, [P, P, P, P]],
  soft_max_ext: [P, [P, P, P, 'float', 'float']],
  soft_max_ext_back: [P, [P, P, P, 'float', 'float']],
  rope_ext: rope,
  rope_ext_back: rope,
  permute: [P, [P, P, 'int', 'int', 'int', 'int']],
  reshape_2d: [P, [P, P, 'int64', 'int64']],
  reshape_3d: [P, [P, P, 'int64', 'int64', 'int64']],
  reshape_4d: [P, [P, P, 'int64', 'int64', 'int64', 'int64']],
  cont_2d: [P, [P, P, 'int64', 'int64']],
  view_2d: [P, [P, P, 'int64', 'int64', 'size', 'size']],
  row_size: ['size', ['int', 'int64']],
  new_graph_custom: [P, [P, 'size', 'bool']],
  build_forward_expand: ['void', [P, P]],
  graph_n_nodes: ['int', [P]],
  graph_node: [P, [P, 'int']],
  op_desc: ['string', [P]],
  backend_dev_init: [P, [P, 'string']],
  backend_free: ['void', [P]],
  backend_dev_name: ['string', [P]],
  backend_dev_description: ['string', [P]],
  backend_dev_backend_reg: [P, [P]],
  backend_dev_supports_op: ['bool', [P, P]],
  backend_dev_memory: ['void', [P, 'data', 'data']],
  backend_reg_get_proc_address: [P, [P, 'string']],
  backend_get_default_buffer_type: [P, [P]],
  backend_alloc_ctx_tensors: [P, [P, P]],
  backend_cpu_buffer_from_ptr: [P, [P, 'size']],
  backend_tensor_alloc: ['int', [P, P, P]],
  backend_buffer_get_size: ['size', [P]],
  backend_buffer_free: ['void', [P]],
  backend_tensor_set: ['void', [P, 'data', 'size', 'size']],
  backend_tensor_get: ['void', [P, 'data', 'size', 'size']],
  backend_tensor_memset: ['void', [P, 'int', 'size', 'size']],
  backend_graph_compute: ['int', [P, P]],
  gallocr_new: [P, [P]],
  gallocr_reserve: ['bool', [P, P]],
  gallocr_alloc_graph: ['bool', [P, P]],
  gallocr_get_buffer_size: ['size', [P, 'int']],
  gallocr_free: ['void', [P]],
} as const satisfies Readonly<Record<string, Signature>>

/** What is called in libggml (the registry of backends). */
export const REGISTRY_SIGNATURES = {
  backend_load_all_from_path: ['void', ['string']],
  backend_dev_count: ['size', []],
  backend_dev_get: [P, ['size']],
  backend_dev_by_type: [P, ['int']],
  backend_dev_by_name: [P, ['string']],
} as const satisfies Readonly<Record<string, Signature>>
