import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { gpuLayersSchema, type ModelLoadOptions } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import { readIfThere } from '../ground/atomic-file'
import { rename, rm } from '../ground/steady-files'

const markerSchema = z.object({ path: z.string(), gpuLayers: gpuLayersSchema, at: z.string() })
type Marker = z.infer<typeof markerSchema>

/**
 * A small file that exists only while a model is being loaded. Found before a load, it means that this very load took the
 * engine, or all of Loam, down.
 */
export class LoadMarker {
  /** `file` null keeps no marker. */
  constructor(private readonly file: string | null) {}

  /**
   * Throws `MODEL_CRASHED_LAST_TIME` when the same model was being loaded when things ended. Loading it on the CPU instead
   * of a GPU is one of the ways out, so that is let through.
   */
  async check(options: ModelLoadOptions): Promise<void> {
    const marker = await this.#read()
    if (marker?.path !== options.path) return
    if (options.gpuLayers === 'cpu' && marker.gpuLayers !== 'cpu') return
    throw new LoamError(
      'MODEL_CRASHED_LAST_TIME',
      `${options.path} was being loaded when the engine stopped.`,
      {
        suggestion:
          marker.gpuLayers === 'cpu'
            ? 'Pick a smaller model, or try again anyway.'
            : 'Load it on the CPU, pick a smaller model, or try again anyway.',
      },
    )
  }

  /** The model whose load never ended, if there is one: it must not be loaded again unasked. */
  async crashedModel(): Promise<string | null> {
    return (await this.#read())?.path ?? null
  }

  async write(options: ModelLoadOptions): Promise<void> {
    if (this.file === null) return
    const marker: Marker = { path: options.path, gpuLayers: options.gpuLayers, at: new Date().toISOString() }
    const part = `${this.file}.part`
    try {
      await mkdir(dirname(this.file), { recursive: true })
      await writeFile(part, JSON.stringify(marker), { flush: true })
      await rename(part, this.file)
    } catch (error) {
      throw new LoamError(
        'DISK_WRITE',
        `The load marker ${this.file} could not be written: ${String(error)}`,
        { suggestion: 'Check the data folder and its free space.', underlying: error },
      )
    }
  }

  async remove(): Promise<void> {
    if (this.file !== null) await rm(this.file, { force: true })
  }

  async #read(): Promise<Marker | null> {
    if (this.file === null) return null
    const text = await readIfThere(this.file)
    if (text === null) return null
    try {
      return markerSchema.parse(JSON.parse(text))
    } catch {
      // It is written whole or not at all, so someone else wrote this; it names no model to be careful with.
      return null
    }
  }
}
