import { useCallback } from 'react'
import { useStore } from 'zustand'
import type { CellPlan, Study } from '../../../shared/domain/experiment'
import { useServices } from '../../stores/use-services'

/** Words for a method or variant of a definition: its own name for a variant, the method's title otherwise; whether it takes a K; and a cell of it in words. */
export function useMethodNames(definition: Pick<Study, 'methods'>) {
  const { methods } = useServices()
  const list = useStore(methods, (state) => state.data)
  const { methods: entries } = definition
  return useCallback(
    (name: string) => {
      const variant = entries.find((entry) => typeof entry !== 'string' && entry.name === name)
      const base = variant && typeof variant !== 'string' ? variant.method : name
      const method = list?.find(({ id }) => id === base)
      const title = variant ? name : (method?.title ?? name)
      const takesExp = method?.usesK ?? true
      const ofCell = ({ exp, seed }: Pick<CellPlan, 'exp' | 'seed'>): string =>
        `${title}${takesExp ? `, K ${exp}` : ''}, seed ${seed}`
      return { title, takesExp, ofCell }
    },
    [entries, list],
  )
}
