/** `enum ggml_type`, as far as the trainer covers it. */
export const GgmlType = {
  ...{ F32: 0, F16: 1, BF16: 30, I32: 26 },
  ...{ Q4_0: 2, Q4_1: 3, Q5_0: 6, Q5_1: 7, Q8_0: 8 },
  ...{ Q3_K: 11, Q4_K: 12, Q5_K: 13, Q6_K: 14 },
  ...{ IQ4_NL: 20, IQ4_XS: 23 },
} as const
