'use strict'

class Cache {
  constructor(limit) {
    if (!Number.isInteger(limit) || limit < 1) throw new RangeError('limit must be a positive integer')
    this.limit = limit
    this.entries = new Map()
  }

  has(key) {
    return this.entries.has(key)
  }

  get(key) {
    return this.entries.get(key)
  }

  set(key, value) {
    this.entries.set(key, value)
    if (this.entries.size > this.limit) {
      const oldest = this.entries.keys().next().value
      this.entries.delete(oldest)
    }
    return this
  }

  keys() {
    return [...this.entries.keys()]
  }
}

module.exports = { Cache }
