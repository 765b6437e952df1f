/** How a function of the library is called. */
export interface Signature {
  /** Its name in the library. */
  readonly as: string
  /**
   * A letter per argument: n number, d day, t text, b boolean, v any one value, a numbers of an area (or one number), p an area of which every
   * cell is a number.
   */
  readonly kinds: string
  /** The last argument may come again. */
  readonly repeats: boolean
  /** Arguments that have to be there. */
  readonly least: number
  /** Excel writes its letters large. */
  readonly upper: boolean
}

/**
 * The functions that are taken from the library, by signature: arguments after `?` may be left out, `*` repeats the last, `=` names
 * what it is called there, `^` has its letters made large. Each is held against values that Excel gives (formula-library.test.ts); those that come out
 * differently there (ATAN2, SECOND, NORMSDIST, functions of criteria and look-ups) are not in the list.
 */
const LISTED: Readonly<Record<string, string>> = {
  n: `ABS ACOS ACOSH ACOT ASIN ASINH ATAN ATANH COS COSH COT CSC DEGREES EVEN EXP FACT FACTDOUBLE INT LN LOG10 ODD RADIANS
    SEC SIGN SIN SINH SQRT SQRTPI TAN TANH ISODD ISEVEN CHAR UNICHAR FISHER FISHERINV  NORMSINV GAMMALN`,
  '': 'PI',
  nn: `COMBIN COMBINA PERMUT PERMUTATIONA POWER QUOTIENT MROUND BITAND BITOR BITXOR BITLSHIFT BITRSHIFT EFFECT NOMINAL
    CEILING FLOOR`,
  'n?n': 'LOG TRUNC DELTA GESTEP DEC2BIN DEC2OCT ROMAN',
  'n?n^': 'DEC2HEX',
  'nn?n^': 'BASE',
  tn: 'DECIMAL',
  t: 'ARABIC BIN2DEC HEX2DEC OCT2DEC CODE UNICODE CLEAN',
  'a*': `PRODUCT MEDIAN GCD LCM MULTINOMIAL SUMSQ AVEDEV DEVSQ GEOMEAN HARMEAN KURT SKEW STDEV.S STDEV.P VAR.S VAR.P MODE.SNGL
    STDEV=STDEV.S STDEVP=STDEV.P VAR=VAR.S VARP=VAR.P MODE=MODE.SNGL`,
  an: `LARGE SMALL PERCENTILE.INC PERCENTILE.EXC QUARTILE.INC QUARTILE.EXC TRIMMEAN PERCENTILE=PERCENTILE.INC
    QUARTILE=QUARTILE.INC`,
  'na?n': 'RANK.AVG',
  pp: 'CORREL PEARSON RSQ SLOPE INTERCEPT STEYX COVARIANCE.P COVARIANCE.S COVAR=COVARIANCE.P SUMX2MY2 SUMX2PY2 SUMXMY2',
  npp: 'FORECAST FORECAST.LINEAR=FORECAST',
  nnn: 'STANDARDIZE NORM.INV NORMINV=NORM.INV SLN RRI PDURATION',
  nnnb: 'NORM.DIST NORMDIST=NORM.DIST BINOM.DIST BINOMDIST=BINOM.DIST',
  nb: 'NORM.S.DIST',
  nnb: 'POISSON.DIST POISSON=POISSON.DIST EXPON.DIST EXPONDIST=EXPON.DIST',
  'nnn?nn': 'FV PV PMT NPER',
  'nnnn?nn': 'IPMT PPMT',
  nnnn: 'SYD',
  'nnnn?n': 'DDB',
  'na*': 'NPV',
  dn: 'EOMONTH EDATE',
  'd?n': 'WEEKDAY',
  d: 'ISOWEEKNUM',
  dd: 'DAYS',
  'dd?b': 'DAYS360',
  'dd?a': 'NETWORKDAYS',
  'dn?a': 'WORKDAY',
  tnnt: 'REPLACE',
  'n?nb': 'FIXED',
}

const read = (form: string, entry: string): readonly [string, Signature] => {
  const [name = entry, as = name] = entry.split('=')
  const plain = form.replace(/[*^?]/g, '')
  const least = form.includes('?') ? form.indexOf('?') : plain.length
  return [name, { as, kinds: plain, repeats: form.includes('*'), least, upper: form.includes('^') }]
}

/** By name as formulas have it. */
export const SIGNATURES: ReadonlyMap<string, Signature> = new Map(
  Object.entries(LISTED).flatMap(([form, names]) => names.split(/\s+/).map((entry) => read(form, entry))),
)

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/**
 * The error a function ends with where it has no value, in Excel's words; the library's own differ. Of the others it is not known which it
 * is, so a formula that comes to one is not computed.
 */
export const NO_VALUE: ReadonlyMap<string, '#NUM!' | '#DIV/0!'> = new Map([
  ...words(`ACOS ACOSH ASIN ATANH LN LOG LOG10 SQRT SQRTPI FACT FACTDOUBLE COMBIN COMBINA PERMUT PERMUTATIONA MROUND LARGE SMALL
    PERCENTILE.INC PERCENTILE.EXC QUARTILE.INC QUARTILE.EXC GEOMEAN HARMEAN POWER DEC2BIN DEC2OCT DEC2HEX BIN2DEC HEX2DEC OCT2DEC
    EOMONTH EDATE`).map((name) => [name, '#NUM!'] as const),
  ...words('STDEV.S STDEV.P VAR.S VAR.P QUOTIENT CORREL PEARSON RSQ SLOPE INTERCEPT COT CSC').map(
    (name) => [name, '#DIV/0!'] as const,
  ),
])
