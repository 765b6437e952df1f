import type { Settings } from '../../shared/domain/memory-info'
import { ENCODER_DEVICE } from '../ground/engine-protocol'

/**
 * How libraries are told which graphics card they see: CUDA, ROCm and llama.cpp's Vulkan read it from their environment when they begin, and have no
 * other way from outside; all processes that compute are started from the host and inherit it. CUDA then counts cards by their places in the machine, as others do. Nothing where nothing was chosen.
 */
export function cardEnvironment(
  { gpuCard, gpuLayers, encodersOnCard }: Pick<Settings, 'gpuCard' | 'gpuLayers' | 'encodersOnCard'>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const card = String(gpuCard)
  return {
    ...(gpuCard !== 'auto' && {
      ...{ CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: card },
      ...{ GGML_VK_VISIBLE_DEVICES: card, HIP_VISIBLE_DEVICES: card },
    }),
    ...(encodersOnCard &&
      gpuLayers !== 'cpu' && { [ENCODER_DEVICE]: platform === 'win32' ? 'dml' : 'webgpu' }),
  }
}
