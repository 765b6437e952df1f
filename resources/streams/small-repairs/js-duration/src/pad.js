'use strict'

/** A number with at least two digits. */
module.exports = (number) => String(number).padStart(2, '0')
