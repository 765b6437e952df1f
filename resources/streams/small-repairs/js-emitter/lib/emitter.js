'use strict'

/** Tells listeners of events, in the order they came. */
class Emitter {
  constructor() {
    this.listeners = {}
  }

  on(event, listener) {
    const list = this.listeners[event] || (this.listeners[event] = [])
    list.push(listener)
    return () => this.off(event, listener)
  }

  once(event, listener) {
    const off = this.on(event, (...args) => {
      off()
      listener(...args)
    })
    return off
  }

  off(event, listener) {
    const list = this.listeners[event] || []
    const at = list.indexOf(listener)
    if (at >= 0) list.splice(at, 1)
  }

  emit(event, ...args) {
    const list = this.listeners[event] || []
    for (let i = 0; i < list.length; i++) list[i](...args)
    return list.length
  }
}

module.exports = { Emitter }
