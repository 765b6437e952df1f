import { portKey } from './environment-module'

/** Reads texts that come with tasks where a hostile one harms nothing. */
export interface ForeignTexts {
  /** The value of a text. @throws LoamError `BAD_INPUT` naming `where` */
  read(text: string, where: string, syntax: 'json' | 'toml'): Promise<unknown>
}

/** Reader of texts that come with tasks. */
export const FOREIGN_TEXTS = portKey<ForeignTexts>('foreign texts')
