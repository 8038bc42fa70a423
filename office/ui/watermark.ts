/** Larger pictures are drawn smaller: a document is readable at this width, and a canvas has a limit. */
const sideMax = 3000

/** Draws a picture into a canvas of its size, with a text across it again and again. */
export function drawWatermarked(canvas: HTMLCanvasElement, picture: ImageBitmap, text: string): void {
  const scale = Math.min(1, sideMax / Math.max(picture.width, picture.height))
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const context = canvas.getContext('2d')
  if (context === null) return
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const size = Math.max(12, Math.round(Math.max(canvas.width, canvas.height) / 40))
  context.font = `600 ${size}px sans-serif`
  context.lineWidth = size / 12
  context.rotate(-Math.PI / 8)
  const diagonal = canvas.width + canvas.height
  const wide = context.measureText(text).width + size * 3
  for (let y = -diagonal, row = 0; y < diagonal; y += size * 6, row += 1) {
    for (let x = -diagonal + (row % 2) * (wide / 2); x < diagonal; x += wide) {
      // Light on dark and dark on light: readable on any picture.
      context.strokeStyle = 'rgb(255 255 255 / 0.35)'
      context.strokeText(text, x, y)
      context.fillStyle = 'rgb(0 0 0 / 0.28)'
      context.fillText(text, x, y)
    }
  }
  context.resetTransform()
}
