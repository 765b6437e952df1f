import type { Embedder } from '../../src/core/ground/ports'
import { SentenceEmbedders } from '../../src/main/adapters/embed/sentence-embedder'
import { openEmbedder } from '../../src/main/embedders/open-embedder'
import { encoderPath } from '../../src/main/ground/model-file'
import { findResources } from '../../src/main/ground/resources'
import { BUILT_IN_ENCODER } from '../../src/shared/domain/model'

/** What benches of search compare texts by: the built-in encoder, or the one in the folder that LOAM_BENCH_EMBEDDER names (ONNX, as Loam reads it). */
export async function benchEmbedder(): Promise<Embedder> {
  const encoders = new SentenceEmbedders()
  return openEmbedder(process.env['LOAM_BENCH_EMBEDDER'] ?? BUILT_IN_ENCODER, {
    encoderFile: encoderPath(findResources().models),
    folders: [],
    embed: (folder, texts, signal) => encoders.embed(folder, texts, signal),
    served: (id) => Promise.reject(new Error(`${id} is at a server.`)),
  })
}
