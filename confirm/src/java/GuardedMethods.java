package asercheck.confirm;

/** Methods that reach outside of the target. They have hooks at their beginnings, which end the target. */
final class GuardedMethods {
    /** The effect of methods that end a program. */
    static final String END = "end the program";

    /** The effect, the class, the names of the methods, and the number of the argument with the path, or -1. */
    static final String[][] METHODS = {
        {"start a process", "java.lang.ProcessBuilder", "start", "-1"},
        {"start a process", "java.lang.Runtime", "exec", "-1"},
        {END, "java.lang.Runtime", "exit", "-1"},
        {END, "java.lang.Runtime", "halt", "-1"},
        {"load a native library", "java.lang.Runtime", "load0,loadLibrary0", "-1"},
        {"use a socket", "java.net.Socket", "connect,createImpl", "-1"},
        {"use a socket", "java.net.ServerSocket", "bind", "-1"},
        {"use a socket", "java.net.DatagramSocket", "bind,send", "-1"},
        {"use a socket", "java.net.InetAddress", "getAllByName", "-1"},
        {"use a socket", "sun.nio.ch.SocketChannelImpl", "connect,bind", "-1"},
        {"use a socket", "sun.nio.ch.ServerSocketChannelImpl", "bind", "-1"},
        {"use a socket", "sun.nio.ch.DatagramChannelImpl", "connect,bind,send", "-1"},
        {"write a file", "java.io.FileOutputStream", "open", "0"},
        {"write a file", "java.io.RandomAccessFile", "open", "0"},
        {"write a file", "java.io.UnixFileSystem", "createFileExclusively,createDirectory,rename,setLastModifiedTime,"
            + "setReadOnly,setPermission", "0"},
        {"write a file", "java.io.WinNTFileSystem", "createFileExclusively,createDirectory,rename,setLastModifiedTime,"
            + "setReadOnly,setPermission", "0"},
        {"delete a file", "java.io.UnixFileSystem", "delete", "0"},
        {"delete a file", "java.io.WinNTFileSystem", "delete", "0"},
        {"write a file", "sun.nio.fs.UnixNativeDispatcher",
                "open,mkdir,rename,link,symlink,chmod,mknod,openat,renameat",
            "0"},
        {"delete a file", "sun.nio.fs.UnixNativeDispatcher", "unlink,rmdir,unlinkat", "0"},
        {"write a file", "sun.nio.fs.WindowsNativeDispatcher", "CreateFile,CreateDirectory,MoveFileEx", "0"},
        {"delete a file", "sun.nio.fs.WindowsNativeDispatcher", "DeleteFile,RemoveDirectory", "0"},
    };

    /**
     * Methods whose result depends on time, or on locks that other threads hold at the moment. The outcome of a forced
     * run says nothing if one of them gave up. The class, and the names of the methods.
     */
    static final String[][] DEPENDING = {
        {"java.util.concurrent.locks.ReentrantLock", "tryLock"},
        {"java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock", "tryLock"},
        {"java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock", "tryLock"},
        {"java.util.concurrent.locks.StampedLock",
                "tryReadLock,tryWriteLock,tryConvertToWriteLock,tryConvertToReadLock"},
        {"java.util.concurrent.Semaphore", "tryAcquire"},
        {"java.util.concurrent.SynchronousQueue", "offer,poll"},
        {"java.util.concurrent.Exchanger", "exchange"},
        {"java.util.concurrent.LinkedTransferQueue", "tryTransfer"},
        {"java.util.concurrent.locks.LockSupport", "parkNanos,parkUntil"},
        {"java.lang.Object", "wait"},
    };

    private GuardedMethods() {}
}
