/** Larger pictures are drawn smaller: a document is readable at this width, and a canvas has a limit. */
const sideMax = 3000

/**
 * Draws a picture into a canvas of its size, with a text along its edges, where a document has little, and pale across it:
 * what is cut out still says who looked, and names and numbers stay readable.
 */
export function drawWatermarked(canvas: HTMLCanvasElement, picture: ImageBitmap, text: string): void {
  const scale = Math.min(1, sideMax / Math.max(picture.width, picture.height))
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const context = canvas.getContext('2d')
  if (context === null) return
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const size = Math.max(11, Math.round(Math.max(canvas.width, canvas.height) / 60))
  context.font = `600 ${size}px sans-serif`
  context.lineWidth = size / 12
  const wide = context.measureText(text).width + size * 3
  drawEdges(context, { text, size, wide })
  drawAcross(context, { text, size, wide })
}

type Mark = { text: string; size: number; wide: number }
type Opacity = { light: number; dark: number }
const onEdges: Opacity = { light: 0.6, dark: 0.5 }
const across: Opacity = { light: 0.16, dark: 0.12 }

/** Light on dark and dark on light: readable on any picture. */
function write(
  context: CanvasRenderingContext2D,
  text: string,
  at: [number, number],
  { light, dark }: Opacity,
): void {
  context.strokeStyle = `rgb(255 255 255 / ${light})`
  context.strokeText(text, ...at)
  context.fillStyle = `rgb(0 0 0 / ${dark})`
  context.fillText(text, ...at)
}

function drawEdges(context: CanvasRenderingContext2D, { text, size, wide }: Mark): void {
  const { width, height } = context.canvas
  for (let x = size / 2; x < width; x += wide) {
    write(context, text, [x, size * 1.2], onEdges)
    write(context, text, [x, height - size * 0.5], onEdges)
  }
}

function drawAcross(context: CanvasRenderingContext2D, { text, size, wide }: Mark): void {
  const { width, height } = context.canvas
  context.rotate(-Math.PI / 8)
  const diagonal = width + height
  for (let y = -diagonal, row = 0; y < diagonal; y += size * 11, row += 1) {
    for (let x = -diagonal + (row % 2) * (wide / 2); x < diagonal; x += wide)
      write(context, text, [x, y], across)
  }
  context.resetTransform()
}
