// Callers that send requests and never read the answers: an answer is dropped after a while, and if too much waits, the
// longest first, and other callers get theirs.

import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { Unsent } from '../../dist/gateway/serving/unsent.js'

const MIB = 1024 * 1024

it('unread answers are dropped, the longest first, and in the end all', async () => {
  // The age of the process does not matter.
  const now = performance.now
  let laterMs = 3_600_000
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + laterMs)
  const unsent = new Unsent()
  const responses: ServerResponse[] = []
  const http = createServer((_, response) => {
    unsent.watch(response)
    responses.push(response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const sockets: Socket[] = []
  const ask = async () => {
    const before = responses.length
    const socket = connect((http.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket.pause())
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    await expect.poll(() => responses.length).toBe(before + 1)
    return responses.at(-1)!
  }
  const [little, much, more] = [await ask(), await ask(), await ask()]
  little.write(Buffer.alloc(10 * MIB))
  much.write(Buffer.alloc(30 * MIB))
  unsent.endStalled()
  expect([little, much, more].map(({ destroyed }) => destroyed)).toEqual([false, false, false])
  more.write(Buffer.alloc(60 * MIB))
  unsent.endStalled()
  expect([little, much, more].map(({ destroyed }) => destroyed)).toEqual([false, false, true])
  sockets[1]!.resume()
  await expect.poll(() => much.writableLength).toBe(0)
  // Notes what moved until now.
  unsent.endStalled()
  laterMs += 31_000
  unsent.endStalled()
  expect([little, much].map(({ destroyed }) => destroyed)).toEqual([true, false])
  vi.restoreAllMocks()
  for (const socket of sockets) socket.destroy()
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
})
