import type { GpuKind } from '../../shared/domain/gpu-library'

/** A package of llama.cpp's libraries as npm's registry has it. */
export interface GpuPackage {
  /** Below `@node-llama-cpp/`. */
  readonly name: string
  /** Of its archive. */
  readonly sizeBytes: number
  readonly sha256: string
}

/** The release of node-llama-cpp that the packages below are of; with another one they are read off its archives anew. */
export const GPU_RELEASE = '3.21.1'

/** Packages for graphics cards by system and what they compute with. On a Mac Metal comes with Loam; for ARM there are none. */
export const GPU_PACKAGES: Readonly<Record<string, Partial<Record<GpuKind, readonly GpuPackage[]>>>> = {
  'linux-x64': {
    cuda: [
      {
        name: 'linux-x64-cuda',
        sizeBytes: 142_850_036,
        sha256: '499b4012541cb3e01b3d35e18e7dd2dc546174979494b02dbcc0a6667ed6b7d9',
      },
      {
        name: 'linux-x64-cuda-ext',
        sizeBytes: 176_679_086,
        sha256: 'f0129449651b4521254d69876778563be8b5c87b27c76abf122eb66ad208aa1f',
      },
    ],
    vulkan: [
      {
        name: 'linux-x64-vulkan',
        sizeBytes: 27_476_121,
        sha256: '4877be47f01586481615aec277c23c7f660592ce66eec2753ff1dcc967a9a0d2',
      },
    ],
  },
  'win32-x64': {
    cuda: [
      {
        name: 'win-x64-cuda',
        sizeBytes: 138_542_727,
        sha256: '7824fb3d391d32194f3ee537d70ab3e334030cca71a85b855c368f36b251dc83',
      },
      {
        name: 'win-x64-cuda-ext',
        sizeBytes: 175_417_684,
        sha256: 'db173b0a095b0c297549c74dd8963eb7127e84b1629c0e4ce9ee4f653f6f9f82',
      },
    ],
    vulkan: [
      {
        name: 'win-x64-vulkan',
        sizeBytes: 26_619_567,
        sha256: '105e8207d2114f5f248b217fee7f9b702d0e7509cf0d3c7565dfb9e707f9303e',
      },
    ],
  },
}
