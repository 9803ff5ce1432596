//! The commands.

use std::{
    ffi::{CStr, CString, c_char, c_uint},
    ptr,
};

use nvml_wrapper_sys::bindings::{
    NvmlLib, nvmlComputeInstance_t, nvmlDevice_t, nvmlGpuInstance_t, nvmlGpuInstanceInfo_t,
    nvmlGpuInstancePlacement_t, nvmlMemory_t, nvmlReturn_t,
};

use crate::{detail, events, timing};

/// A loaded library.
pub(crate) struct Client {
    pub(crate) library: NvmlLib,
}

/// Why a command got no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientError {
    /// NVML's return code.
    #[error("{0}")]
    Code(nvmlReturn_t),
    /// Not a command of this program.
    #[error("unknown command")]
    Unknown,
    /// The library lacks the function.
    #[error("missing")]
    Missing,
}

/// What a command comes to.
pub(crate) type Answer<T = String> = Result<T, ClientError>;

/// Calls a function of the library by its name in the bindings.
macro_rules! nvml {
    ($client:expr, $name:ident($($argument:expr),*)) => {{
        if $client.library.$name.is_err() {
            return Err($crate::client::ClientError::Missing);
        }
        // SAFETY: the function was found; every pointer handed in is to a live value of the type that it wants.
        $crate::client::check(unsafe { $client.library.$name($($argument),*) })
    }};
}
pub(crate) use nvml;

pub(crate) fn check(code: nvmlReturn_t) -> Answer<()> {
    if code == 0 { Ok(()) } else { Err(ClientError::Code(code)) }
}

impl Client {
    pub(crate) fn new(library: NvmlLib) -> Self {
        Self { library }
    }

    /// Does what `line` says.
    pub(crate) fn answer(&self, line: &str) -> Answer {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (command, arguments) = words.split_first().ok_or(ClientError::Unknown)?;
        let numbers: Vec<c_uint> = arguments.iter().filter_map(|word| word.parse().ok()).collect();
        match (*command, numbers.as_slice()) {
            ("init", []) => self.init().map(|()| String::new()),
            ("time", []) => timing::measure(self),
            ("shutdown", []) => nvml!(self, nvmlShutdown()).map(|()| String::new()),
            ("count", []) => self.number_of_gpus().map(|count| count.to_string()),
            ("find", []) => self.find(arguments.first().ok_or(ClientError::Unknown)?),
            ("name", &[gpu]) => self.name(self.device(gpu)?),
            ("uuid", &[gpu]) => self.uuid(self.device(gpu)?),
            ("persistence", &[gpu]) => self.persistence(gpu),
            ("set-persistence", &[gpu, on]) => {
                nvml!(self, nvmlDeviceSetPersistenceMode(self.device(gpu)?, on)).map(|()| String::new())
            }
            ("mig", &[gpu, on]) => self.set_mig(gpu, on),
            ("mig-mode", &[gpu]) => self.mig_mode(gpu),
            ("room", &[gpu, profile]) => self.room(gpu, profile),
            ("create", &[gpu, profile]) => self.create(gpu, profile, None),
            ("create", &[gpu, profile, start, size]) => self.create(gpu, profile, Some((start, size))),
            ("create-compute", &[gpu, instance, profile]) => self.create_compute(gpu, instance, profile),
            ("destroy", &[gpu, instance]) => {
                nvml!(self, nvmlGpuInstanceDestroy(self.instance(gpu, instance)?)).map(|()| String::new())
            }
            ("destroy-compute", &[gpu, instance, compute]) => {
                nvml!(self, nvmlComputeInstanceDestroy(self.compute(gpu, instance, compute)?))
                    .map(|()| String::new())
            }
            ("devices", &[gpu]) => self.devices(gpu),
            ("profile", &[gpu, number, form]) => detail::profile(self, gpu, number, form),
            ("attributes", &[gpu, index]) => detail::attributes(self, gpu, index),
            ("event-kinds", &[gpu]) => events::supported(self, gpu),
            ("listen", &[gpu, kinds]) => events::listen(self, gpu, kinds),
            ("wait", &[set, timeout]) => events::wait(self, set, timeout),
            ("unlisten", &[set]) => events::free(self, set),
            _ => Err(ClientError::Unknown),
        }
    }

    pub(crate) fn init(&self) -> Answer<()> {
        nvml!(self, nvmlInit_v2())
    }

    pub(crate) fn number_of_gpus(&self) -> Answer<c_uint> {
        let mut count = 0;
        nvml!(self, nvmlDeviceGetCount_v2(&raw mut count))?;
        Ok(count)
    }

    /// What a generator of CDI specs asks of a GPU, and of each of its MIG devices.
    pub(crate) fn describe(&self, gpu: c_uint) -> Answer<()> {
        let (device, mut minor) = (self.device(gpu)?, 0);
        let mut memory = nvmlMemory_t { total: 0, free: 0, used: 0 };
        self.name(device)?;
        self.uuid(device)?;
        nvml!(self, nvmlDeviceGetMinorNumber(device, &raw mut minor))?;
        nvml!(self, nvmlDeviceGetMemoryInfo(device, &raw mut memory))?;
        if self.mig_mode(gpu).is_ok() {
            self.devices(gpu)?;
        }
        Ok(())
    }

    fn find(&self, uuid: &str) -> Answer {
        let uuid = CString::new(uuid).ok().ok_or(ClientError::Unknown)?;
        let mut device = ptr::null_mut();
        nvml!(self, nvmlDeviceGetHandleByUUID(uuid.as_ptr(), &raw mut device))?;
        self.name(device)
    }

    pub(crate) fn device(&self, gpu: c_uint) -> Answer<nvmlDevice_t> {
        let mut device = ptr::null_mut();
        nvml!(self, nvmlDeviceGetHandleByIndex_v2(gpu, &raw mut device))?;
        Ok(device)
    }

    fn name(&self, device: nvmlDevice_t) -> Answer {
        let mut text = [0; 96];
        nvml!(self, nvmlDeviceGetName(device, text.as_mut_ptr(), 96))?;
        Ok(string(&text))
    }

    fn uuid(&self, device: nvmlDevice_t) -> Answer {
        let mut text = [0; 96];
        nvml!(self, nvmlDeviceGetUUID(device, text.as_mut_ptr(), 96))?;
        Ok(string(&text))
    }

    fn persistence(&self, gpu: c_uint) -> Answer {
        let mut mode = 0;
        nvml!(self, nvmlDeviceGetPersistenceMode(self.device(gpu)?, &raw mut mode))?;
        Ok(mode.to_string())
    }

    fn set_mig(&self, gpu: c_uint, on: c_uint) -> Answer {
        let mut activation = 0;
        nvml!(self, nvmlDeviceSetMigMode(self.device(gpu)?, on, &raw mut activation))?;
        Ok(activation.to_string())
    }

    fn mig_mode(&self, gpu: c_uint) -> Answer {
        let (mut current, mut pending) = (0, 0);
        nvml!(self, nvmlDeviceGetMigMode(self.device(gpu)?, &raw mut current, &raw mut pending))?;
        Ok(format!("{current} {pending}"))
    }

    fn room(&self, gpu: c_uint, profile: c_uint) -> Answer {
        let mut count = 0;
        nvml!(self, nvmlDeviceGetGpuInstanceRemainingCapacity(self.device(gpu)?, profile, &raw mut count))?;
        Ok(count.to_string())
    }

    /// Answers id, start and size.
    fn create(&self, gpu: c_uint, profile: c_uint, place: Option<(c_uint, c_uint)>) -> Answer {
        let (device, mut instance) = (self.device(gpu)?, ptr::null_mut());
        if let Some((start, size)) = place {
            let place = nvmlGpuInstancePlacement_t { start, size };
            nvml!(
                self,
                nvmlDeviceCreateGpuInstanceWithPlacement(
                    device,
                    profile,
                    &raw const place,
                    &raw mut instance
                )
            )?;
        } else {
            nvml!(self, nvmlDeviceCreateGpuInstance(device, profile, &raw mut instance))?;
        }
        let nowhere = nvmlGpuInstancePlacement_t { start: 0, size: 0 };
        let mut info = nvmlGpuInstanceInfo_t { device, id: 0, profileId: 0, placement: nowhere };
        nvml!(self, nvmlGpuInstanceGetInfo(instance, &raw mut info))?;
        Ok(format!("{} {} {}", info.id, info.placement.start, info.placement.size))
    }

    fn create_compute(&self, gpu: c_uint, instance: c_uint, profile: c_uint) -> Answer {
        let mut compute = ptr::null_mut();
        let instance = self.instance(gpu, instance)?;
        nvml!(self, nvmlGpuInstanceCreateComputeInstance(instance, profile, &raw mut compute))?;
        Ok(String::new())
    }

    fn instance(&self, gpu: c_uint, id: c_uint) -> Answer<nvmlGpuInstance_t> {
        let mut instance = ptr::null_mut();
        nvml!(self, nvmlDeviceGetGpuInstanceById(self.device(gpu)?, id, &raw mut instance))?;
        Ok(instance)
    }

    fn compute(&self, gpu: c_uint, instance: c_uint, id: c_uint) -> Answer<nvmlComputeInstance_t> {
        let mut compute = ptr::null_mut();
        let instance = self.instance(gpu, instance)?;
        nvml!(self, nvmlGpuInstanceGetComputeInstanceById(instance, id, &raw mut compute))?;
        Ok(compute)
    }

    /// UUIDs of the MIG devices.
    fn devices(&self, gpu: c_uint) -> Answer {
        let (parent, mut most, mut uuids) = (self.device(gpu)?, 0, Vec::new());
        nvml!(self, nvmlDeviceGetMaxMigDeviceCount(parent, &raw mut most))?;
        for index in 0..most {
            let mut device = ptr::null_mut();
            match nvml!(self, nvmlDeviceGetMigDeviceHandleByIndex(parent, index, &raw mut device)) {
                Ok(()) => uuids.push(self.uuid(device)?),
                Err(ClientError::Code(6)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(uuids.join(" "))
    }
}

/// Text that the library wrote.
pub(crate) fn string(text: &[c_char; 96]) -> String {
    let bytes = text.map(|c| c.to_ne_bytes()[0]);
    CStr::from_bytes_until_nul(&bytes).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
}
