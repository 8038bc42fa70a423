/** A file of its own, which hardly anybody needs. */
// oxlint-disable-next-line uptick/boundaries -- of the wire
export { XHR } from 'socket.io-client'
