import koffi from 'koffi'
import { LoamError } from '../../../shared/errors'
import { type Ggml, openGgml, present } from './bindings'
import { findGgml, type GgmlBackend, type GgmlFiles } from './library-files'

const CPU_DEVICE = 0

/** One device of ggml, ready to compute. Holds native memory until `dispose`. */
export interface GgmlDevice {
  readonly ggml: Ggml
  readonly files: GgmlFiles
  readonly backend: bigint
  readonly device: bigint
  /** E.g. `CPU`, `CUDA0`, `Vulkan0`. */
  readonly name: string
  /** Whether tensors can lie in memory that we mapped. */
  readonly onHost: boolean
  dispose(): void
}

let handle: { readonly files: GgmlFiles; readonly ggml: Ggml } | null = null

/**
 * Opens a device. A process can hold the libraries of one backend only, since their names clash. `threads` is for the CPU:
 * more threads than free cores is many times slower, because ggml's threads wait for each other busily.
 */
export function openDevice(kind: GgmlBackend, threads: number): GgmlDevice {
  const files = findGgml(kind)
  if (handle && handle.files.folder !== files.folder)
    throw new LoamError('TRAINER_UNAVAILABLE', `This process already computes with ${handle.files.folder}.`, {
      suggestion: 'Start the training again.',
    })
  handle ??= { files, ggml: openGgml(files) }
  const { ggml } = handle
  if (ggml.backend_dev_count() === 0) ggml.backend_load_all_from_path(files.folder)
  const device = kind === 'cpu' ? ggml.backend_dev_by_type(CPU_DEVICE) : deviceOf(ggml, kind)
  if (device === null)
    throw new LoamError('TRAINER_UNAVAILABLE', `ggml found no ${kind.toUpperCase()} device here.`, {
      suggestion: 'Train on the CPU, or check the driver.',
    })
  return initialize(ggml, files, device, kind === 'cpu', threads)
}

/**
 * The CPU beside a device, from the same libraries: it reads the mapped file and knows every weight type, which GPUs do not.
 * For a device that is the CPU: a second one like it.
 */
export function openHost({ ggml, files }: GgmlDevice, threads: number): GgmlDevice {
  const device = present(ggml.backend_dev_by_type(CPU_DEVICE), 'the CPU')
  return initialize(ggml, files, device, true, threads)
}

function initialize(
  ggml: Ggml,
  files: GgmlFiles,
  device: bigint,
  onHost: boolean,
  threads: number,
): GgmlDevice {
  const name = ggml.backend_dev_name(device)
  const backend = present(ggml.backend_dev_init(device, ''), `a backend on ${name}`)
  if (onHost) setThreads(ggml, device, backend, threads)
  return { ggml, files, backend, device, name, onHost, dispose: () => ggml.backend_free(backend) }
}

function deviceOf(ggml: Ggml, kind: GgmlBackend): bigint | null {
  const count = Number(ggml.backend_dev_count())
  for (let index = 0; index < count; index++) {
    const device = ggml.backend_dev_get(index)
    if (
      device !== null &&
      ggml
        .backend_dev_name(device)
        .toLowerCase()
        .startsWith(kind === 'metal' ? 'm' : kind)
    )
      return device
  }
  return null
}

const threadSetter = koffi.proto('void (void *backend, int threads)')

function setThreads(ggml: Ggml, device: bigint, backend: bigint, threads: number): void {
  const setter = ggml.backend_reg_get_proc_address(
    ggml.backend_dev_backend_reg(device),
    'ggml_backend_set_n_threads',
  )
  koffi.call(present(setter, 'a way to set its threads'), threadSetter, backend, threads)
}
