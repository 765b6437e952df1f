import type { Options } from 'react-markdown'
import rehypeKatex from 'rehype-katex'

/** Formulas become MathML, which the browser draws: no style, no font, and nothing in one that could load or link. */
export const FORMULAS: Options['rehypePlugins'] = [
  [rehypeKatex, { output: 'mathml', strict: 'ignore', trust: false, maxExpand: 200, maxSize: 20 }],
]
