import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { providerChecks, type ProviderRig } from '../../../../src/main/conform/provider-checks'
import type { ProviderModule } from '../../../../src/main/providers/provider'

/** A provider at work, with a model that is there and one that is not. */
export interface Subject extends Omit<ProviderRig, 'loaded'> {
  close(): Promise<void>
}

const CONTEXT = 1024

/** What every provider has to do, on a real model. */
export function conform(module: ProviderModule, open: () => Promise<Subject>): void {
  describe(`the provider ${module.id}`, () => {
    let subject: Subject
    let rig: ProviderRig
    beforeAll(async () => {
      subject = await open()
      const loaded = await subject.provider.load(subject.model, { contextSize: CONTEXT, sequences: 2 })
      rig = { ...subject, loaded }
    })
    afterAll(() => subject.close())

    for (const { name, run } of providerChecks(module, () => rig)) it(name, run)

    it('gives its model the context that is asked for', () => {
      expect(rig.loaded.contextSize).toBe(CONTEXT)
    })
  })
}
