import { gpt4all } from './gpt4all'
import { huggingFace } from './hugging-face'
import { jan } from './jan'
import { llamaCache } from './llama-cache'
import { lmStudio } from './lm-studio'
import { ollama } from './ollama'
import type { ModelStore } from './store'

/** Every program whose models are found, in the order they are shown. To add one: its file, and its line here. */
export const MODEL_STORES: readonly ModelStore[] = [ollama, lmStudio, llamaCache, huggingFace, gpt4all, jan]
