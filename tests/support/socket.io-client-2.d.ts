/** The parts of Socket.IO's client of the 2.x line that the tests use; it has no types of its own. */
declare module "socket.io-client-2" {
  export interface Socket {
    connected: boolean;
    io: { engine: { transport: { name: string } } };
    on(event: string, hear: (data: unknown) => void): this;
    once(event: string, hear: (data: unknown) => void): this;
    emit(event: string, data: unknown): this;
    close(): this;
  }
  interface Options {
    path: string;
    transports: ("polling" | "websocket")[];
    /** In Node, for both transports. */
    extraHeaders: Record<string, string>;
    forceNew: boolean;
    reconnection: boolean;
  }
  const connect: (origin: string, options: Options) => Socket;
  export default connect;
}
