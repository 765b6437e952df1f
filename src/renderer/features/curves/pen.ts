/** A point in px. */
export type Place = readonly [x: number, y: number]

export interface Stroke {
  readonly colour: string
  readonly width: number
  /** Strokes and gaps in px; empty for a solid line. */
  readonly dash?: readonly number[]
}

export interface Lettering {
  readonly size: number
  readonly colour: string
  readonly bold?: boolean
  /** Which end of the text is at the place. Default `start`. */
  readonly anchor?: 'start' | 'middle' | 'end'
}

/** The few things a figure is drawn with, so that every kind of picture file shows the same. */
export interface Pen {
  line(places: readonly Place[], stroke: Stroke): void
  /** A filled shape; `opacity` in [0, 1]. */
  area(places: readonly Place[], colour: string, opacity: number): void
  /** Small squares with their middles at the places. */
  dots(places: readonly Place[], size: number, colour: string, opacity: number): void
  /** The text's baseline is at `y`. */
  text(place: Place, text: string, lettering: Lettering): void
  /** What is drawn inside stays within the rectangle. */
  clipped(x: number, y: number, width: number, height: number, draw: () => void): void
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif'

/** Draws onto a canvas. */
export function canvasPen(ctx: CanvasRenderingContext2D): Pen {
  const trace = (places: readonly Place[]) => {
    ctx.beginPath()
    places.forEach(([x, y], index) => (index === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)))
  }
  return {
    line(places, { colour, width, dash = [] }) {
      ctx.strokeStyle = colour
      ctx.lineWidth = width
      ctx.lineJoin = 'round'
      ctx.setLineDash([...dash])
      trace(places)
      ctx.stroke()
    },
    area(places, colour, opacity) {
      ctx.fillStyle = colour
      ctx.globalAlpha = opacity
      trace(places)
      ctx.fill()
      ctx.globalAlpha = 1
    },
    dots(places, size, colour, opacity) {
      ctx.fillStyle = colour
      ctx.globalAlpha = opacity
      ctx.beginPath()
      for (const [x, y] of places) ctx.rect(x - size / 2, y - size / 2, size, size)
      ctx.fill()
      ctx.globalAlpha = 1
    },
    text([x, y], text, { size, colour, bold = false, anchor = 'start' }) {
      ctx.fillStyle = colour
      ctx.font = `${bold ? '600 ' : ''}${size}px ${FONT}`
      ctx.textAlign = anchor === 'middle' ? 'center' : anchor
      ctx.fillText(text, x, y)
    },
    clipped(x, y, width, height, draw) {
      ctx.save()
      ctx.beginPath()
      ctx.rect(x, y, width, height)
      ctx.clip()
      draw()
      ctx.restore()
    },
  }
}

/** Collects SVG; `finish` gives the whole file. */
export function svgPen(width: number, height: number, background: string): Pen & { finish(): string } {
  const parts: string[] = []
  let clips = 0
  const path = (places: readonly Place[]) =>
    places.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${px(x)} ${px(y)}`).join('')
  return {
    line(places, { colour, width: thickness, dash = [] }) {
      const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : ''
      parts.push(
        `<path d="${path(places)}" fill="none" stroke="${colour}" stroke-width="${thickness}" stroke-linejoin="round"${dashes}/>`,
      )
    },
    area(places, colour, opacity) {
      parts.push(`<path d="${path(places)}Z" fill="${colour}" fill-opacity="${opacity}"/>`)
    },
    dots(places, size, colour, opacity) {
      const squares = places.map(
        ([x, y]) => `M${px(x - size / 2)} ${px(y - size / 2)}h${size}v${size}h${-size}Z`,
      )
      if (squares.length > 0)
        parts.push(`<path d="${squares.join('')}" fill="${colour}" fill-opacity="${opacity}"/>`)
    },
    text([x, y], text, { size, colour, bold = false, anchor = 'start' }) {
      parts.push(
        `<text x="${px(x)}" y="${px(y)}" font-size="${size}"${bold ? ' font-weight="600"' : ''} text-anchor="${anchor}" fill="${colour}">${escape(text)}</text>`,
      )
    },
    clipped(x, y, clipWidth, clipHeight, draw) {
      const id = `clip${++clips}`
      parts.push(
        `<clipPath id="${id}"><rect x="${px(x)}" y="${px(y)}" width="${px(clipWidth)}" height="${px(clipHeight)}"/></clipPath><g clip-path="url(#${id})">`,
      )
      draw()
      parts.push('</g>')
    },
    finish: () =>
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escape(FONT)}">`,
        `<rect width="${width}" height="${height}" fill="${background}"/>`,
        ...parts,
        '</svg>\n',
      ].join('\n'),
  }
}

const px = (value: number) => String(Math.round(value * 10) / 10)

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escape = (text: string) => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter)
