/** `enum ggml_type`, as far as the trainer covers it. */
export const GgmlType = { F32: 0, F16: 1, Q8_0: 8, Q4_K: 12, Q5_K: 13, Q6_K: 14, I32: 26, BF16: 30 } as const
