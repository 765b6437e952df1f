import { z } from 'zod'
import { moduleInfoSchema } from '../domain/module'
import { reading, showing } from './procedure'

const zodObject = z.object({ name: z.string() })

/** Modules from outside. What runs code is for the person's own window and commands alone. */
export const modules = {
  list: reading('Modules in the data folder, with where they come from and whether they are in use.').output(
    z.array(moduleInfoSchema),
  ),
  add: showing('Copies a module from a folder or a package. It is off until it is allowed.')
    .input(z.object({ source: z.string().trim().min(1).max(4000) }))
    .output(moduleInfoSchema),
  allow: showing('Puts a module to use, as its code is now.').input(zodObject).output(moduleInfoSchema),
  deny: showing('Takes a module out of use.').input(zodObject).output(moduleInfoSchema),
  remove: showing('Deletes a module from the data folder.').input(zodObject).output(z.void()),
}
