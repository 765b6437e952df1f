import { Download } from '../../components/icons'
import { useStore } from 'zustand'
import { Button } from '../../components/button'
import { useServices } from '../../stores/use-services'
import { Menu, MenuItem } from '../../ground/menu'
import { saveBlob } from '../../ground/save-text'
import { visibleRange } from './chart-options'
import { figureCsv } from './csv'
import { drawFigure, pictureSize, type Picture } from './draw-figure'
import type { Figure } from './figure'
import { canvasPen, svgPen } from './pen'

const KINDS = [
  { kind: 'png', title: 'Picture (PNG)', detail: 'The chart with its legend, twice the size of the screen' },
  { kind: 'svg', title: 'Drawing (SVG)', detail: 'Lines and text, for papers and slides' },
  { kind: 'csv', title: 'Numbers (CSV)', detail: 'Every place of every line with n, mean and interval' },
] as const

type Kind = (typeof KINDS)[number]['kind']

const PNG_SCALE = 2

/** Takes the chart along: as it is drawn now, zoom and switched-off lines included. */
export function ExportMenu({
  figure,
  lead,
  legend,
}: {
  figure: Figure
  lead: string
  legend: readonly string[]
}) {
  const { curves, toasts } = useServices()
  const zoom = useStore(curves, (state) => state.zoom)
  const save = async (kind: Kind) => {
    const style = getComputedStyle(document.documentElement)
    const picture: Picture = {
      ...pictureSize(figure.lines.length),
      lead,
      legend,
      range: visibleRange({ figure, zoom }),
      colour: (name) => style.getPropertyValue(name).trim(),
    }
    const name = `loam-curves-${figure.measure}-by-${figure.axis}.${kind}`
    try {
      saveBlob(name, await fileOf(kind, figure, picture))
      toasts.getState().tell(`Saved ${name}`)
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      toasts.getState().show({ title: `${name} could not be made`, detail, tone: 'problem' })
    }
  }
  return (
    <Menu
      label="Export as"
      align="end"
      width="w-72"
      trigger={
        <Button look="primary" icon={Download} disabled={figure.lines.length === 0}>
          Export
        </Button>
      }
    >
      {KINDS.map(({ kind, title, detail }) => (
        <MenuItem key={kind} detail={detail} onSelect={() => void save(kind)}>
          {title}
        </MenuItem>
      ))}
    </Menu>
  )
}

async function fileOf(kind: Kind, figure: Figure, picture: Picture): Promise<Blob> {
  switch (kind) {
    case 'csv':
      return new Blob([figureCsv(figure)], { type: 'text/csv;charset=utf-8' })
    case 'svg': {
      const pen = svgPen(picture.width, picture.height, picture.colour('--surface'))
      drawFigure(pen, figure, picture)
      return new Blob([pen.finish()], { type: 'image/svg+xml' })
    }
    case 'png':
      return pngOf(figure, picture)
  }
}

function pngOf(figure: Figure, picture: Picture): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = picture.width * PNG_SCALE
  canvas.height = picture.height * PNG_SCALE
  const ctx = canvas.getContext('2d')
  if (!ctx) throw new Error('The window offers no canvas.')
  ctx.scale(PNG_SCALE, PNG_SCALE)
  ctx.fillStyle = picture.colour('--surface')
  ctx.fillRect(0, 0, picture.width, picture.height)
  drawFigure(canvasPen(ctx), figure, picture)
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))),
      'image/png',
    ),
  )
}
