/** What the page tells of its line to the venue; see {@link watchSocket}. */
export type Line = {
  /** What the venue has been asked to send and not to stop sending, on the line that is open. */
  watched: Set<string>
  frames: number
  opened: number
}

declare global {
  var line: Line
}

/**
 * Runs in the page before its own scripts. The page's measure of time goes as fast as the venue's; its timers do not,
 * because patience with a silent venue would become 60 ms, which a busy machine breaks. What goes over the line is
 * listened to, since only it shows what the app still watches.
 */
export function watchSocket(speed: number): void {
  const realNow = performance.now.bind(performance)
  performance.now = () => realNow() * speed
  const line: Line = (globalThis.line = { watched: new Set(), frames: 0, opened: 0 })
  const send = Reflect.get(WebSocket.prototype, 'send')
  const count = ({ data }: MessageEvent): void => {
    if (typeof data === 'string' && data.startsWith('42["ticks"')) line.frames += 1
  }
  WebSocket.prototype.send = function (data) {
    if (data === '40' || (typeof data === 'string' && data.startsWith('40{'))) {
      line.watched.clear()
      line.opened += 1
      this.addEventListener('message', count)
    }
    const said = typeof data === 'string' ? /^42\d*(\["(?:un)?subscribe",.*)$/.exec(data)?.[1] : undefined
    if (said !== undefined) {
      const [name, { products }] = JSON.parse(said) as [string, { products: string[] }]
      for (const id of products) {
        if (name === 'subscribe') line.watched.add(id)
        else line.watched.delete(id)
      }
    }
    send.call(this, data)
  }
}
