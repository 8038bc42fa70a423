import { sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cosignedMessage, packCosignature, verifyCosignatures } from '../../../contract/tlog/checkpoint.ts'
import {
  formatNote,
  formatVerifierKey,
  keyId,
  parseNote,
  parseVerifierKey,
  verifyNote,
} from '../../../contract/tlog/note.ts'
import { keyPairOf } from '../../../server/market/publicLog/keyPair.ts'

/** The example of C2SP signed-note. */
const exampleKey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const example =
  'This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n'
/** The example of golang.org/x/mod/sumdb/note. */
const neumannKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const neumann =
  'If you think cryptography is the answer to your problem,\nthen you don\u2019t know what your problem is.\n'.replace(
    '\u2019',
    "'",
  ) +
  '\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n'

describe('a signed note', () => {
  it.each([
    ['C2SP', exampleKey, example],
    ['Go', neumannKey, neumann],
  ])('is verified as the example of %s', async (_of, keyText, text) => {
    const [key, note] = [parseVerifierKey(keyText)!, parseNote(text)!]
    expect(formatVerifierKey(key.name, key.type, key.publicKey)).toBe(keyText)
    expect(formatNote(note)).toBe(text)
    expect(await verifyNote(note, key)).toBe(true)
    expect(await verifyNote({ ...note, text: note.text.replace('a', 'b') }, key)).toBe(false)
    expect(await verifyNote(note, { ...key, name: 'other' })).toBe('absent')
  })

  it.each([
    ['no empty line', example.replace('\n\n', '\n')],
    ['no signature', example.slice(0, example.indexOf('\u2014'))],
    ['no newline at the end', example.slice(0, -1)],
    ['a hyphen for the dash', example.replace('\u2014', '-')],
    ['a control character', example.replace('This', 'This\t')],
    ['a name with a plus', example.replace('com/foo Uw', 'com+foo Uw')],
    ['a signature that is not base64', example.replace('aQM=', 'aQN=')],
    ['a signature without bytes', example.replace(/Uw2Q\S+/, 'Uw2QOg==')],
    ['half a character', example.replace('This', '\ud800')],
    ['a line of something else', `${example}more\n`],
  ])('is refused with %s', (_what, text) => expect(parseNote(text)).toBeNull())

  it.each([
    ['another id', exampleKey.replace('530d903a', '530d903b')],
    ['an upper-case id', exampleKey.replace('530d903a', '530D903A')],
    ['another name', exampleKey.replace('foo', 'bar')],
    ['a short key', exampleKey.replace('U2k', '')],
    ['no name', exampleKey.slice('example.com/foo'.length)],
  ])('has no verifier key with %s', (_what, text) => expect(parseVerifierKey(text)).toBeNull())
})

describe('a cosignature', () => {
  /** Of RFC 8032, section 7.1, test 1. */
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
  const { secret, publicKey } = keyPairOf(Buffer.from(seed, 'hex'))
  const name = 'witness.example/w1'
  const key = parseVerifierKey(formatVerifierKey(name, 'cosignature', publicKey))!
  const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'
  const seconds = 1_679_315_147
  const bytes = packCosignature(seconds, sign(null, cosignedMessage(text, seconds), secret))
  const signature = { name, id: keyId(name, 'cosignature', publicKey), bytes }

  it('signs the message of the specification', () => {
    expect(Buffer.from(publicKey).toString('hex')).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    )
    expect(Buffer.from(cosignedMessage(text, seconds)).toString()).toBe(
      `cosignature/v1\ntime 1679315147\n${text}`,
    )
  })

  it('counts if it verifies, once for each known key', async () => {
    const note = { text, signatures: [signature, signature] }
    const read = parseNote(formatNote(note))!
    expect(await verifyCosignatures(read, [key])).toEqual([{ key, seconds }])
    expect(await verifyCosignatures(read, [])).toEqual([])
    expect(await verifyCosignatures({ ...read, text: text.replace('63', '64') }, [key])).toEqual([])
    const later = { ...signature, bytes: packCosignature(seconds + 1, bytes.slice(8)) }
    expect(await verifyCosignatures({ text, signatures: [later] }, [key])).toEqual([])
    // A witness must not be taken for the log, nor the log for a witness.
    expect(await verifyNote(read, key)).toBe('absent')
  })
})
