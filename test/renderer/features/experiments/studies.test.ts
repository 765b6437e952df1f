import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { methodInfo } from '../../../../src/core/ground/method'
import { METHODS } from '../../../../src/core/methods'
import { readStudyFile } from '../../../../src/main/experiments/study-file'
import { createExperimentFormStore } from '../../../../src/renderer/stores/experiment-form'
import { readForm } from '../../../../src/renderer/features/experiments/read-form'
import { model, stream } from '../../choices'

const folder = resolve('resources/experiments')

test.each(readdirSync(folder))('%s goes through the window’s form without losing anything', async (name) => {
  const study = await readStudyFile(resolve(folder, name))
  const form = createExperimentFormStore()
  form.getState().load(study)
  if (study.methods.some((entry) => typeof entry === 'object' && entry.experiences))
    form.getState().change({ experiences: 'space-1' })
  const { definition, problems } = readForm(form.getState(), {
    streams: [stream(study.stream, true)],
    methods: METHODS.map(methodInfo),
    models: [model('/demo.gguf', true)],
  })
  expect(problems).toEqual([])
  expect(definition?.protocol).toEqual(study.protocol)
  expect(definition?.settings).toEqual(study.settings)
  expect(new Set(definition?.methods)).toEqual(new Set(study.methods))
  expect(definition?.exp).toEqual(study.exp)
})
