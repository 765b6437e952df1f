import { common, createLowlight } from 'lowlight'

const lowlight = createLowlight(common)

/** A part of highlighted code: a text, or parts under the name of a style. */
export type CodePart = string | { readonly style: string; readonly parts: readonly CodePart[] }

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

const partsOf = (nodes: readonly Node[]): CodePart[] =>
  nodes.flatMap((node): CodePart[] => {
    if (node.type === 'text') return [node.value]
    if (node.type !== 'element') return []
    const names = node.properties['className']
    return [{ style: Array.isArray(names) ? names.join(' ') : '', parts: partsOf(node.children as Node[]) }]
  })

/** Code in its parts; null for a language that is not known here. */
export const highlighted = (code: string, language: string): CodePart[] | null =>
  lowlight.registered(language) ? partsOf(lowlight.highlight(language, code).children) : null
