/**
 * The version of the service interface. Whatever goes or changes its meaning in `spi.ts` raises it: the first number where a module of
 * before breaks, else the second.
 */
export const SPI_VERSION = '1.0'
