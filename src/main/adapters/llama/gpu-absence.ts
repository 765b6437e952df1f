import type { ModelLoadOptions } from '../../../shared/domain/model'

/** A GPU without room for a single layer is as good as none. */
export function absenceOf(
  target: ModelLoadOptions['gpuLayers'],
  usedCount: number,
  noGpu: string | null,
): string | null {
  if (target === 'cpu' || target === 0 || usedCount > 0) return null
  return noGpu ?? 'Not one layer fits into the GPU’s free memory, so it works on the CPU.'
}
