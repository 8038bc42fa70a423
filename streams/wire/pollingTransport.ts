/** In its own file, because few clients need it. */
// oxlint-disable-next-line uptick/boundaries -- of the wire
export { XHR } from 'socket.io-client'
