/** Types of the parts of Socket.IO's 2.x client that the tests use; it ships no types. */
declare module "socket.io-client-2" {
  export interface Socket {
    connected: boolean;
    io: { engine: { transport: { name: string }; once(event: "close", hear: () => void): unknown } };
    on(event: string, hear: (data: unknown) => void): this;
    once(event: string, hear: (data: unknown) => void): this;
    emit(event: string, data: unknown): this;
    close(): this;
  }
  interface Options {
    path: string;
    transports: ("polling" | "websocket")[];
    /** Sent by both transports in Node. */
    extraHeaders: Record<string, string>;
    forceNew: boolean;
    reconnection: boolean;
  }
  const connect: (origin: string, options: Options) => Socket;
  export default connect;
}
