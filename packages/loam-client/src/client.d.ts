/** Where Loam answers, and with which key. */
export interface ClientOptions {
    /** Such as `http://127.0.0.1:7333`. */
    readonly url: string;
    /** As `loam keys create` or the server printed it. */
    readonly key: string;
    /** Default: the global one. */
    readonly fetch?: typeof fetch;
}
/** What one call may be told. */
export interface CallOptions {
    readonly signal?: AbortSignal;
}
/** What a tool of the memory server answers: for a reader, and for a program. */
export interface ToolAnswer {
    readonly text: string;
    readonly data: Readonly<Record<string, unknown>>;
}
/** A call that Loam refused, in its words. */
export declare class LoamFailure extends Error {
    /** Such as `NOT_FOUND`; `UNREADABLE` where the answer was none of Loam's. */
    readonly code: string;
    readonly suggestion: string;
    /** Of HTTP; 200 where a tool refused. */
    readonly status: number;
    constructor(
    /** Such as `NOT_FOUND`; `UNREADABLE` where the answer was none of Loam's. */
    code: string, message: string, suggestion: string, 
    /** Of HTTP; 200 where a tool refused. */
    status: number);
}
/** What REST answers, by area and name; `posts` names the calls that are sent by POST. */
export declare function createReader<Calls>(options: ClientOptions, posts: readonly string[]): Calls;
/** The tools of a memory server (`loam mcp memory --port`), over streamable HTTP. */
export declare function createMemory<Tools>(options: ClientOptions): Tools;
