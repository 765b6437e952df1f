import { describe, expect, it } from 'vitest'
import { LlamaRuntime, explainGpuAbsence } from '../../../../src/main/adapters/llama/llama-runtime'

describe('why no GPU is used', () => {
  it('says that there is none', () => {
    expect(explainGpuAbsence({ present: [], said: ['whatever'], platform: 'linux' })).toBe(
      'No GPU that llama.cpp can use was found, so it works on the CPU.',
    )
  })

  it('says what failed where there is one, and what helps on Windows', () => {
    const said = [
      '[node-llama-cpp] Failed to load a prebuilt binary for platform "win" "x64" with Vulkan support, falling back to using no GPU. Error: Binding binary load test timed out',
    ]
    const text = explainGpuAbsence({ present: ['cuda', 'vulkan'], said, platform: 'win32' })
    expect(text).toContain('This machine has CUDA and Vulkan, but llama.cpp could not use it')
    expect(text).toContain('Binding binary load test timed out')
    expect(text).toContain('Visual C++ runtime')
    expect(text).not.toContain('node-llama-cpp]')
  })

  it('says where libraries that are not here come from', () => {
    const text = explainGpuAbsence({ present: ['cuda'], said: [], platform: 'linux', equipped: [] })
    expect(text).toContain('loam models gpu cuda')
  })

  it.skipIf(process.platform === 'darwin')(
    'is refused by the real library where another machine has it',
    async () => {
      const runtime = new LlamaRuntime(() => undefined)
      await expect(runtime.for({ gpuLayers: 'auto', gpuBackend: 'metal' })).rejects.toMatchObject({
        code: 'MODEL_LOAD',
        why: 'This machine has no Metal that llama.cpp can use.',
      })
      // Nothing of it stays: the processor answers.
      const cpu = await runtime.for({ gpuLayers: 'cpu', gpuBackend: 'metal' })
      expect(cpu.gpu).toBe(false)
      await cpu.dispose()
    },
  )

  it('is known of the real library, and is nothing when the CPU was asked for', async () => {
    const runtime = new LlamaRuntime(() => undefined)
    const llama = await runtime.for({ gpuLayers: 'auto', gpuBackend: 'auto' })
    if (llama.gpu === false) expect(runtime.gpuAbsence).toMatch(/works on the CPU/)
    else expect(runtime.gpuAbsence).toBeNull()
    const cpu = await runtime.for({ gpuLayers: 'cpu', gpuBackend: 'auto' })
    expect(runtime.gpuAbsence).toBeNull()
    await cpu.dispose()
  })
})
