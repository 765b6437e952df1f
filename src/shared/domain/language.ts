/** Languages that Loam tells apart, by their codes. */
export const LANGUAGE_NAMES = { en: 'English', de: 'German', fr: 'French', es: 'Spanish' } as const
export type Language = keyof typeof LANGUAGE_NAMES
